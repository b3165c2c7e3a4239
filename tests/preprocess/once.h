#pragma once
once WHERE __INCLUDE_LEVEL__
