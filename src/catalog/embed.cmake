# cmake -DROOT=catalog -DFILES=a;b -DOUTPUT=x.cc -P embed.cmake
#
# Writes a source file that holds the bytes of FILES (paths below ROOT) as arrays, which have
# no length limit, and defines BuiltinCatalogFiles().
set(arrays "")
set(entries "")
set(index 0)
foreach(file IN LISTS FILES)
  file(READ "${ROOT}/${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))" "\\1\n"
         bytes "${bytes}")
  # A closing zero keeps an empty file legal; it is not part of the text.
  string(APPEND arrays "constexpr unsigned char kFile${index}[] = {${bytes}0};\n")
  string(APPEND entries
         "      {\"${file}\", TextOf(kFile${index}, sizeof(kFile${index}) - 1)},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}" "// Made by embed.cmake from catalog/.
#include \"catalog/catalog.h\"

namespace plimsoll {
namespace {

${arrays}
std::string TextOf(const unsigned char* bytes, std::size_t size) {
  return std::string(bytes, bytes + size);
}

}  // namespace

const std::vector<CatalogFile>& BuiltinCatalogFiles() {
  static const std::vector<CatalogFile> files{
${entries}  };
  return files;
}

}  // namespace plimsoll
")
