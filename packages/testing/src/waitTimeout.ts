/**
 * Maximum wait of tests for expected events. Not a property of Nolo: a wait ends as soon as the event happens, and a
 * machine of a tenth of the usual speed must reach the same result. Tests state Nolo's own time limits explicitly.
 * Lower than the test timeout in jest.config.mjs, so that a failure reports its reason.
 */
export const waitTimeoutMs = 60_000;
