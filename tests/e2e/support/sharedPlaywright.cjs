// What files of journeys get for `playwright-core`: the one that `browserEnvironment.mjs` has brought.
module.exports = globalThis.noloPlaywright;
