const timeoutMs = 10_000;

/** Fetches media as a platform does: without a session. Returns true only if the response declares itself as media. */
export async function canFetchMedia(address: unknown): Promise<boolean> {
  try {
    const reply = await fetch(String(address), { signal: AbortSignal.timeout(timeoutMs) });
    const { byteLength } = await reply.arrayBuffer();
    return reply.ok && byteLength > 0 && /^(image|video)\//.test(reply.headers.get('content-type') ?? '');
  } catch {
    return false;
  }
}
