# The store among other processes: killed, out of disk space, or sharing its file.
add_executable(store_driver ${CMAKE_CURRENT_LIST_DIR}/store_driver.cc)
target_link_libraries(store_driver PRIVATE plimsoll::store_duckdb plimsoll_warnings)
foreach(test disk_full kill share)
  set(label e2e)
  if(test STREQUAL "kill")
    set(label "e2e;slow")
  endif()
  plimsoll_test(NAME store_${test}_test LABEL "${label}" DEPS plimsoll::store_duckdb
                SRCS ${CMAKE_CURRENT_LIST_DIR}/store_${test}_test.cc)
  target_compile_definitions(store_${test}_test PRIVATE STORE_DRIVER="$<TARGET_FILE:store_driver>")
  add_dependencies(store_${test}_test store_driver)
endforeach()
set_tests_properties(store_kill_test PROPERTIES TIMEOUT 1800)
