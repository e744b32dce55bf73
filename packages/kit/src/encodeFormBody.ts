/**
 * Encodes a form to the bytes that are sent. Node's fetch creates them piecemeal while it sends, and if the request is
 * aborted meanwhile, it fails in an unhandled promise, which ends the process.
 */
export async function encodeFormBody(form: FormData): Promise<{ bytes: Uint8Array<ArrayBuffer>; contentType: string }> {
  const encoded = new Response(form);
  return { bytes: new Uint8Array(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' };
}
