import type { Route } from '@nolo/api';
import { limits } from '@nolo/rules';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { checkJsonBounds } from '../domain/jsonBounds.ts';
import { createGatewayError } from '../errors.ts';

const bodyBytes = 262_144;
const jsonTypes = ['application/json', 'application/*+json'];

function jsonReader({ bodyBytes: maxBodyBytes = bodyBytes, bodyEntries = limits.jsonEntries }: Route): RequestHandler {
  return express.json({
    limit: maxBodyBytes,
    // The schema refuses values other than objects, with a clear message.
    strict: false,
    inflate: false,
    type: jsonTypes,
    verify: (_request, _response, bytes, charset) => {
      if (charset !== 'utf-8') {
        throw createGatewayError('invalid', 'content_type_unsupported', 'The request body must be JSON in UTF-8.');
      }
      checkJsonBounds(bytes, { depth: limits.jsonDepth, entries: bodyEntries });
    },
  });
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}

/** Creates a reader for the JSON body of a route. Errors before schema validation are AppErrors. */
export function createBodyReader(route: Route): (request: Request, response: Response) => Promise<unknown> {
  const read = jsonReader(route);
  return async (request, response) => {
    // Clients may omit an empty body.
    if (!hasBody(request)) return {};
    if (request.is(jsonTypes) === false) {
      throw createGatewayError('invalid', 'content_type_unsupported', 'Send the body as application/json.');
    }
    await new Promise<void>((resolve, reject) => {
      void read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error as Error)));
    });
    return request.body as unknown;
  };
}

/**
 * Reads the body of a request unchanged, for verifying its signature; parsed and serialized JSON would differ. Empty if
 * there is no body.
 */
export async function readRawBody(request: Request, response: Response, route: Route): Promise<Buffer> {
  const { bodyType = 'application/octet-stream', rawBytes = bodyBytes } = route;
  if (!hasBody(request)) return Buffer.alloc(0);
  if (request.is(bodyType) === false) {
    throw createGatewayError('invalid', 'content_type_unsupported', `Send the body as ${bodyType}.`);
  }
  const read = express.raw({ limit: rawBytes, inflate: false, type: bodyType });
  await new Promise<void>((resolve, reject) => {
    void read(request, response, (error?: unknown) => (error === undefined ? resolve() : reject(error as Error)));
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}
