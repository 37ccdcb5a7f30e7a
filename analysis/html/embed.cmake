# Writes OUTPUT, the C++ file that defines what assets.h declares, from report.css and
# report.js beside this file: cmake -D OUTPUT=… -P embed.cmake

# Base64 of a SHA-256 given in hex: three hex digits are two characters.
function(base64_of_sha256 hex result)
  set(alphabet "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  set(text "")
  foreach(at RANGE 0 63 3)
    string(SUBSTRING "${hex}00" ${at} 3 digits)
    math(EXPR first "0x${digits} >> 6")
    math(EXPR second "0x${digits} & 63")
    string(SUBSTRING "${alphabet}" ${first} 1 first)
    string(SUBSTRING "${alphabet}" ${second} 1 second)
    string(APPEND text "${first}${second}")
  endforeach()
  # The last two of these 264 bits' characters stand for 4 bits and for none.
  string(SUBSTRING "${text}" 0 43 text)
  set(${result} "${text}=" PARENT_SCOPE)
endfunction()

set(code "#include \"analysis/html/assets.h\"\n\nnamespace lab::analysis::html {\n\n")
foreach(asset "Style;report.css" "Script;report.js")
  list(GET asset 0 name)
  list(GET asset 1 file)
  set(path ${CMAKE_CURRENT_LIST_DIR}/${file})
  file(READ ${path} content)
  file(SHA256 ${path} hex)
  base64_of_sha256(${hex} hash)
  string(APPEND code "const std::string_view k${name} = R\"asset(${content})asset\";\n")
  string(APPEND code "const std::string_view k${name}Hash = \"${hash}\";\n\n")
endforeach()
file(WRITE ${OUTPUT} "${code}}  // namespace lab::analysis::html\n")
