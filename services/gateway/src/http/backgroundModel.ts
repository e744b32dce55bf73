import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import helmet from 'helmet';
import { createBackgroundWorkerPolicy } from './securityHeaders.ts';

/** Path under which the web app requests the model. */
const modelPath = '/models/background.tflite';
/** Path of the worker, as named by the build. */
const workerPath = /^\/assets\/backgroundWorker-[\w-]+\.js$/;

/**
 * Serves the operator's model for blurring backgrounds, and permits its worker to run WebAssembly.
 * @throws if the file cannot be read.
 */
export function serveBackgroundModel(app: Express, modelFile: string): void {
  const model = readModel(modelFile);
  const etag = `"${createHash('sha256').update(model).digest('base64url').slice(0, 27)}"`;

  app.get(modelPath, (request, response) => {
    response.locals['route'] = 'asset';
    response.setHeader('Content-Type', 'application/octet-stream');
    // The model may be replaced, so it is revalidated once a day.
    response.setHeader('Cache-Control', 'public, max-age=86400');
    response.setHeader('ETag', etag);
    if (request.headers['if-none-match']?.split(',').some((one) => one.trim() === etag) === true) {
      response.status(304).end();
      return;
    }
    response.setHeader('Content-Length', model.length);
    response.status(200).end(request.method === 'HEAD' ? undefined : model);
  });
  app.get(workerPath, helmet.contentSecurityPolicy({ useDefaults: false, directives: createBackgroundWorkerPolicy() }));
}

function readModel(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new Error(`BACKGROUND_MODEL_FILE names a file that is not readable: ${file}`, { cause: error });
  }
}
