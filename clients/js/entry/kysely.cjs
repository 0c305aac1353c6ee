'use strict';
module.exports = require('../lib/kysely.cjs')(require('kysely').sql);
