constexpr int kTile = 16;
