'use strict';

module.exports = require('polypack/msgpackr');
