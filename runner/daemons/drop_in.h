// What lab adds to a unit for a measurement: a drop-in file of its own under /run, which a reboot
// takes away, beside the files of package and operator, none of which is touched.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runner/base/file.h"
#include "runner/daemons/environment_file.h"

namespace lab::daemons {

struct Addition {
  struct Variable {
    std::optional<std::string> value;  // none: taken away
    std::optional<std::string> found;  // what the unit has without this
    bool operator==(const Variable&) const = default;
  };
  std::map<std::string, Variable> variables;
  // Its start command with another program: path, then arguments; empty: as the unit has it.
  std::vector<std::string> command;
  std::string found_program;  // that the unit has without this; empty where `command` is

  bool empty() const { return variables.empty() && command.empty(); }
  bool operator==(const Addition&) const = default;
};

class DropIn {
 public:
  // Below `root`, which is /run/systemd/system.
  DropIn(const fs::path& root, const std::string& unit);

  // Throws lab::Error (Exit::environment) if the file isn't lab's.
  Addition read() const;
  // Each file is whole or not there. An addition that adds nothing removes both, also what a write
  // that was cut off has left, and their directory if that is then empty. The manager has to read
  // its files again afterwards.
  void write(const Addition& addition) const;

  fs::path configuration() const;
  // Named in the configuration, since a variable of an EnvironmentFile holds against one of
  // Environment=, and the packages' units have such a file.
  fs::path variables() const;

 private:
  fs::path directory_;
};

// The text of the configuration, with the addition as data in its first line.
std::string drop_in_text(const Addition& addition, const fs::path& variables);

}  // namespace lab::daemons
