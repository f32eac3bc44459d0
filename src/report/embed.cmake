# cmake -DROOT=src/report -DCHART_LIBRARY=echarts.js -DOUTPUT=x.cc -P embed.cmake
#
# Writes a source file that holds the page's style, its script and the chart library as arrays,
# which have no length limit, and defines the functions that return them.
set(text "// Made by embed.cmake.\n#include \"report/render.h\"\n#include \"report/render_assets.h\"\n")
string(APPEND text "\nnamespace plimsoll {\nnamespace {\n\n")
set(functions "")
foreach(asset "ChartLibrary|${CHART_LIBRARY}" "StyleSheet|${ROOT}/style.css"
        "ChartScript|${ROOT}/charts.js")
  string(REPLACE "|" ";" parts "${asset}")
  list(GET parts 0 name)
  list(GET parts 1 path)
  file(READ "${path}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(REGEX REPLACE "('....','....','....','....','....','....','....','....',)" "\\1\n" bytes
         "${bytes}")
  # A closing zero keeps an empty file legal; it is not part of the text.
  string(APPEND text "constexpr char k${name}[] = {${bytes}0};\n")
  string(APPEND functions
         "std::string_view ${name}() { return {k${name}, sizeof(k${name}) - 1}; }\n")
endforeach()
string(APPEND text "\n}  // namespace\n\n${functions}\n}  // namespace plimsoll\n")
file(WRITE "${OUTPUT}" "${text}")
