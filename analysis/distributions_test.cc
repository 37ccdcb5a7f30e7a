// Expected values: R 4.2.2 (pt, qt, pnorm, qnorm, pf, qf, pchisq, qchisq).
#include "analysis/distributions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace lab::stats {

void expect_relative(double got, double expected, double tolerance = 1e-9) {
  EXPECT_NEAR(got / expected, 1, tolerance) << "got " << got << ", expected " << expected;
}

TEST(StudentT, QuantilesAgreeWithR) {
  expect_relative(student_t_quantile(0.975, 1), 12.7062047361747);
  expect_relative(student_t_quantile(0.975, 2), 4.30265272974946);
  expect_relative(student_t_quantile(0.975, 3), 3.18244630528371);
  expect_relative(student_t_quantile(0.975, 15), 2.13144954555978);
  expect_relative(student_t_quantile(0.975, 100), 1.98397151852355);
  expect_relative(student_t_quantile(0.95, 3), 2.35336343480182);
  expect_relative(student_t_quantile(0.995, 15), 2.94671288347524);
  expect_relative(student_t_quantile(0.995, 2.5), 7.16372813894880);
}

TEST(StudentT, ProbabilitiesAgreeWithR) {
  expect_relative(student_t_cdf(2.5, 7), 0.979503890707124);
  expect_relative(student_t_cdf(-1, 3), 0.195501109477885);
  expect_relative(student_t_cdf(0.3, 1.5), 0.599763901598208);
  expect_relative(student_t_two_sided_p(-12, 4), 0.000276428548502973);
  EXPECT_DOUBLE_EQ(student_t_two_sided_p(12, 4), student_t_two_sided_p(-12, 4));
  // A far tail keeps its digits instead of collapsing to 0.
  EXPECT_GT(student_t_two_sided_p(200, 15), 0);
}

TEST(StudentT, NoncentralAgreesWithR) {
  expect_relative(noncentral_t_cdf(2, 10, 1), 0.807611562530311);
  expect_relative(noncentral_t_cdf(3, 3, 2.5), 0.553720983891977);
  expect_relative(noncentral_t_cdf(-1, 5, 2), 0.00231637565416343, 1e-6);
  expect_relative(noncentral_t_cdf(2.95, 15, 6), 0.00333721524380173, 1e-6);
  expect_relative(noncentral_t_cdf(2.13, 15, -3), 0.999999148833243);
  expect_relative(noncentral_t_cdf(4.3, 2, 8), 0.0418012797361314, 1e-6);
}

TEST(Normal, AgreesWithR) {
  expect_relative(normal_cdf(1.96), 0.97500210485178);
  expect_relative(normal_cdf(-8), 6.22096057427178e-16);
  expect_relative(normal_quantile(0.8), 0.841621233572914);
}

TEST(FisherF, AgreesWithR) {
  expect_relative(f_upper_tail(3.2, 5, 18), 0.0306206200483376);
  expect_relative(f_upper_tail(30, 5, 18), 3.94237657097812e-08);
  expect_relative(f_quantile(0.95, 5, 18), 2.77285315299783);
}

TEST(ChiSquared, AgreesWithR) {
  expect_relative(chi_squared_upper_tail(11.07, 5), 0.0500096186224055);
  expect_relative(chi_squared_quantile(0.2, 5), 2.34253430584112);
  expect_relative(chi_squared_quantile(0.05, 15), 7.26094392767003);
}

TEST(Distributions, RefuseWhatIsNoProbability) {
  EXPECT_THROW(student_t_quantile(1.5, 3), std::domain_error);
  EXPECT_THROW(student_t_cdf(1, -1), std::domain_error);
}

}  // namespace lab::stats
