// The probability distributions that the statistics need, by Boost.Math
// (docs/decisions/boost-math.md). This is the only place that includes it.
// Degrees of freedom are real numbers > 0, probabilities lie strictly between
// 0 and 1; anything else throws std::domain_error or std::overflow_error.
#pragma once

namespace lab::stats {

double normal_cdf(double z);
double normal_quantile(double probability);

double student_t_cdf(double t, double df);
double student_t_quantile(double probability, double df);
// P(|T| >= |t|).
double student_t_two_sided_p(double t, double df);
// Student t shifted by `noncentrality`: what t looks like when there is an effect.
double noncentral_t_cdf(double t, double df, double noncentrality);

// P(F >= f).
double f_upper_tail(double f, double df_numerator, double df_denominator);
double f_quantile(double probability, double df_numerator, double df_denominator);

double chi_squared_upper_tail(double x, double df);
double chi_squared_quantile(double probability, double df);
double chi_squared_density(double x, double df);

}  // namespace lab::stats
