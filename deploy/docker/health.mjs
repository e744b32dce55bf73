/**
 * The health check of the images: ends with 0 when the process in the same container says that it is ready. Arguments are
 * other addresses to ask, one after the other; one that says how a whole installation is has to say that nothing is amiss.
 */
const port = (process.env.METRICS_LISTEN ?? '').split(':').pop();
const given = process.argv.slice(2);
const addresses = given.length > 0 ? given : [`http://127.0.0.1:${port}/readyz`];

/** What is wrong with an answer, if anything. */
function complaint(response, text) {
  if (!response.ok) return `answered ${response.status}: ${text.slice(0, 500)}`;
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  const status = isJson ? JSON.parse(text).status : undefined;
  return status === undefined || status === 'ready' ? undefined : `says ${status}: ${text.slice(0, 1000)}`;
}

async function ask(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(4000) });
    return complaint(response, await response.text());
  } catch (error) {
    return `did not answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

for (const address of addresses) {
  const wrong = await ask(address);
  // Who asks for one thing wants silence; who asks for several wants to know how far it got.
  if (wrong !== undefined) {
    process.stderr.write(`${address} ${wrong}\n`);
    process.exitCode = 1;
  } else if (addresses.length > 1) process.stdout.write(`${address} is fine\n`);
}
