#include <iostream>

#include <sweep/sweep.h>

int main() { std::cout << sweep::version() << '\n'; }
