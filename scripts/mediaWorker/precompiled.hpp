// What nearly every source of the worker includes by way of its logger. Compiled once, it halves the time of the build.
#include "Channel/ChannelSocket.hpp"
#include "Settings.hpp"
#include "common.hpp"
#include <ankerl/unordered_dense.h>
#include <deque>
#include <iostream>
#include <list>
#include <map>
#include <sstream>
#include <stdexcept>
#include <uv.h>
