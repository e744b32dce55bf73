import type { Request, RequestHandler } from 'express';

/** Maximum time for a JSON or form body. Node's own limit is off because it would apply to uploads, too. */
const bodyTimeoutMs = 120_000;
/** Maximum pause of an upload, which may otherwise take as long as it makes progress. */
const stalledMs = 60_000;

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isUpload({ method, path }: Request): boolean {
  return method === 'PUT' ? path.startsWith('/s3/uploads/') : method === 'POST' && path === '/api/upload-media';
}

/** Ends requests that keep their connection without sending the announced body. */
export const enforceBodyDeadline: RequestHandler = (request, response, next) => {
  if (hasBody(request)) {
    const upload = isUpload(request);
    let came = request.socket.bytesRead;
    const timer = setInterval(
      () => {
        const { bytesRead } = request.socket;
        if (request.complete) clearInterval(timer);
        else if (!upload || bytesRead === came) request.destroy();
        came = bytesRead;
      },
      upload ? stalledMs : bodyTimeoutMs,
    ).unref();
    response.once('close', () => clearInterval(timer));
  }
  next();
};
