/// Which rows run evals.
#pragma once

#include "sweep/expand.h"

namespace sweep::expand {

/// Sets the eval fields of `rows` and, with `only` or `all`, keeps just the chosen rows.
void choose_evals(std::vector<MatrixRow>& rows, const EvalOptions& options);

}  // namespace sweep::expand
