// Files of environment variables as systemd reads them (systemd.exec(5), EnvironmentFile=).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace lab::daemons {

using Environment = std::map<std::string, std::string>;

// Assignments, one a line; the last one of a name holds. Empty lines, comments (# and ;) and lines
// without "=" or with a name that is none are passed over; quotes and backslashes are taken as
// systemd takes them, which knows no variables and no `export`.
Environment parse_environment_file(std::string_view text);

// One line that is read as this assignment again, whatever the value holds.
std::string environment_line(const std::string& name, const std::string& value);

}  // namespace lab::daemons
