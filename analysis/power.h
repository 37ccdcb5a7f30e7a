// How likely a comparison is to reach a verdict, before or after it was made.
// Effects are in units of their standard error, so the functions know nothing
// of blocks or logarithms. alpha, power in (0, 1); df > 0.
#pragma once

namespace lab::stats {

// Probability that a two-sided t test at level alpha calls a true effect of
// `effect_se` standard errors different. Exact (noncentral t).
double difference_power(double effect_se, double df, double alpha);

// The effect, in standard errors, that such a test finds with this power.
double detectable_effect_se(double df, double alpha, double power);

// Probability that two one-sided t tests at level alpha (so: the 1 - 2 alpha
// interval) show the effect to lie between two limits, which are given as
// distances from the true effect in standard errors: lower_se < 0 < upper_se.
// Exact: the mean is averaged over the chi distribution of the estimated
// standard error (as by Owen 1965; Phillips 1990, J. Pharmacokinet. Biopharm. 18).
double equivalence_power(double lower_se, double upper_se, double df, double alpha);

}  // namespace lab::stats
