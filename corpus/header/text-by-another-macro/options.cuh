#pragma once
#define WIDE
