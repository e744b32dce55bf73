/**
 * How long tests wait for what has to happen before they say that it does not. It is no property of Nolo: whoever waits goes
 * on as soon as it happened, and a machine of a tenth of the usual speed is to come to the same answer. What Nolo promises
 * within a time is stated where it is tested. Below the limit of a test in jest.config.mjs, which so has the reason to say.
 */
export const waitTimeoutMs = 60_000;
