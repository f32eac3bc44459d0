// Closed forms of how long a job waits for one of c equal servers.
//
// Times are in units of the mean service time; `load` is the arrival rate times it (erlangs), so
// that load / servers is the utilization. A server is whatever a job holds as a whole: for gangs
// of k GPUs a slot for such a gang (GangServers in gang_formula.h). At load >= servers there is no
// steady state: everyone waits, and a wait is infinite.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace plimsoll {

// Squared coefficients of variation: of times between arrivals and of services. 1 is exponential.
struct Variability {
  double arrivals = 1;
  double services = 1;
};

// P(all servers are busy) without a queue, by the recursion B_k = a B_{k-1} / (k + a B_{k-1}).
// REQUIRES here and below: servers >= 1, load >= 0
double ErlangB(std::int64_t servers, double load);

// P(a job waits) in M/M/c: B / (1 - rho (1 - B)).
double ErlangC(std::int64_t servers, double load);

// Mean wait in M/M/c: C / (c - a).
double WaitOfMmc(std::int64_t servers, double load);

// P(W > t) in M/M/c: C e^{-(c - a) t}. REQUIRES: t >= 0
double WaitBeyondOfMmc(std::int64_t servers, double load, double t);

// The time that a share p of jobs waits at most, in M/M/c. REQUIRES: 0 < p < 1
double WaitQuantileOfMmc(std::int64_t servers, double load, double p);

// One server, Poisson arrivals, any service: Pollaczek and Khinchine's, exact.
double WaitOfMg1(double load, double services);
// The same with services that are all alike: half of M/M/1's.
double WaitOfMd1(double load);

// G/G/1: Kingman's approximation, an upper bound in heavy traffic.
double KingmanWait(double load, Variability variability);

// G/G/c: Allen and Cunneen's: M/M/c's wait times the mean of both variabilities.
double AllenCunneenWait(std::int64_t servers, double load, Variability variability);

// G/G/c with Sakasegawa's (1977) rho^(sqrt(2 (c + 1)) - 1) / (c (1 - rho)) in place of M/M/c's.
double SakasegawaWait(std::int64_t servers, double load, Variability variability);

}  // namespace plimsoll
