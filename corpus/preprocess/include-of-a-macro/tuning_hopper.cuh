constexpr int kTile = 64;
