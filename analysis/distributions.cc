#include "analysis/distributions.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace lab::stats {

namespace bm = boost::math;

double normal_cdf(double z) { return bm::cdf(bm::normal(), z); }

double normal_quantile(double probability) { return bm::quantile(bm::normal(), probability); }

double student_t_cdf(double t, double df) { return bm::cdf(bm::students_t(df), t); }

double student_t_quantile(double probability, double df) {
  return bm::quantile(bm::students_t(df), probability);
}

double student_t_two_sided_p(double t, double df) {
  // The lower tail of -|t| keeps its digits where 1 - cdf(|t|) would lose them.
  return 2 * bm::cdf(bm::students_t(df), -std::abs(t));
}

double noncentral_t_cdf(double t, double df, double noncentrality) {
  return bm::cdf(bm::non_central_t(df, noncentrality), t);
}

double f_upper_tail(double f, double df_numerator, double df_denominator) {
  return bm::cdf(bm::complement(bm::fisher_f(df_numerator, df_denominator), f));
}

double f_quantile(double probability, double df_numerator, double df_denominator) {
  return bm::quantile(bm::fisher_f(df_numerator, df_denominator), probability);
}

double chi_squared_upper_tail(double x, double df) {
  return bm::cdf(bm::complement(bm::chi_squared(df), x));
}

double chi_squared_quantile(double probability, double df) {
  return bm::quantile(bm::chi_squared(df), probability);
}

double chi_squared_density(double x, double df) { return bm::pdf(bm::chi_squared(df), x); }

}  // namespace lab::stats
