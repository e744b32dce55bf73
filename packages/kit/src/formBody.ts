/**
 * A form as the bytes that are sent. Node's fetch makes them bit by bit while it sends, and where the request is given up
 * meanwhile it fails in a promise that nobody waits for, which ends the process.
 */
export async function formBody(form: FormData): Promise<{ bytes: Uint8Array<ArrayBuffer>; contentType: string }> {
  const encoded = new Response(form);
  return { bytes: new Uint8Array(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' };
}
