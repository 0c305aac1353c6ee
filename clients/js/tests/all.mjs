// In one process, so that each test is a line of TAP of its own.
import './decode.mjs';
import './types.mjs';
import './stream.mjs';
import './encode.mjs';
import './helpers.mjs';
import './readme.mjs';
import './sent.mjs';
import './tools.mjs';
import './package.mjs';
