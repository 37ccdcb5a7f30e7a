// Runs a fuzz target over files, or all files of folders, without libFuzzer: every build
// replays the seeds, and a reproducer can be looked at with any compiler and debugger.
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

bool replay(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    fprintf(stderr, "%s: cannot be read\n", path.c_str());
    return false;
  }
  std::string text((std::istreambuf_iterator<char>(in)), {});
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  size_t files = 0;
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') continue;  // an option of libFuzzer
    if (!std::filesystem::is_directory(argv[i])) {
      if (!replay(argv[i])) return 1;
      ++files;
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (!entry.is_regular_file()) continue;
      if (!replay(entry.path())) return 1;
      ++files;
    }
  }
  printf("replayed %zu files\n", files);
  return files > 0 ? 0 : 1;  // a test without seeds tests nothing
}
