// Parses the files it is given and does nothing with them.
// usage: yaml_floor FILE…

#include <cstdio>
#include <exception>
#include <fstream>

#include "floor.h"

int main(int argc, char** argv) {
  try {
    for (int i = 1; i < argc; ++i) {
      std::ifstream stream(argv[i], std::ios::binary);
      if (!stream) {
        std::fprintf(stderr, "yaml_floor: cannot read %s\n", argv[i]);
        return 1;
      }
      parse_for_nobody(stream);
    }
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "yaml_floor: %s\n", fault.what());
    return 1;
  }
  return 0;
}
