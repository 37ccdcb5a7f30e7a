// report.css and report.js, put into the program when it is built (embed.cmake), each with
// the hash by which the page's Content-Security-Policy lets it act: base64 of SHA-256.
#pragma once

#include <string_view>

namespace lab::analysis::html {

extern const std::string_view kStyle;
extern const std::string_view kStyleHash;
extern const std::string_view kScript;
extern const std::string_view kScriptHash;

}  // namespace lab::analysis::html
