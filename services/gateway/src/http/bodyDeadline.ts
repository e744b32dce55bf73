import type { Request, RequestHandler } from 'express';

/** For a body of JSON or a form; Node's own limit would hold for uploads too, and is off. */
const mostMs = 120_000;
/** For an upload, which may take as long as it goes on. */
const stalledMs = 60_000;

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function isUpload({ method, path }: Request): boolean {
  return method === 'PUT' ? path.startsWith('/s3/uploads/') : method === 'POST' && path === '/api/upload-media';
}

/** Ends requests that keep their connection without bringing what they announced. */
export const bodyDeadline: RequestHandler = (request, response, next) => {
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
      upload ? stalledMs : mostMs,
    ).unref();
    response.once('close', () => clearInterval(timer));
  }
  next();
};
