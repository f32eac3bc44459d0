// RequestStory: what the clients of one inference service asked and how its replicas answered.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "demo/fleet.h"

namespace plimsoll {

// Sets fleet.service to chat-70b with every request that it ended within the window, if the fleet
// runs it. It is asked for long reasoned answers, so that few requests are the whole traffic of its
// GPUs. Arrivals follow the traffic; a replica answers six requests at a time and the others
// wait; what is in flight when a replica ends is an error.
void TellRequests(DemoFleet& fleet);

}  // namespace plimsoll
