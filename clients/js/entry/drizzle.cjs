'use strict';
module.exports = require('../lib/drizzle.cjs')(require('drizzle-orm').sql);
