/// @file
/// The whole library.
#pragma once

#include "sweep/base.h"
#include "sweep/canary.h"
#include "sweep/config.h"
#include "sweep/expand.h"
#include "sweep/plan.h"
#include "sweep/policy.h"
#include "sweep/priority.h"
#include "sweep/report.h"
#include "sweep/rules.h"
#include "sweep/schema.h"
#include "sweep/validate.h"
#include "sweep/yaml.h"
