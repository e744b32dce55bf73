// Replaces `playwright-core` for the files of journeys: the instance that `browserEnvironment.mjs` loaded.
module.exports = globalThis.noloPlaywright;
