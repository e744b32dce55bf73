import type { Readable } from 'node:stream';
import { isAppError, type AppError } from '@nolo/kit/errors';
import busboy from 'busboy';
import { cutText, maxReceivedFileNameLength } from '@nolo/rules';
import type { Request } from 'express';
import { createGatewayError } from '../errors.ts';

/** File of a form, while it arrives. */
export interface FormFile {
  /** Name set by the client. Empty if none. */
  readonly name: string;
  /** Type declared by the client. */
  readonly contentType: string;
  /** Fields before the file. */
  readonly fields: Readonly<Record<string, string>>;
  /**
   * Bytes, readable once at the reader's pace. Throws if the file is too large, or the form is truncated or malformed.
   */
  readonly bytes: AsyncIterable<Buffer>;
}

export interface FormFileOptions {
  /** Field with the file. */
  field: string;
  maxBytes: number;
  tooLarge: () => AppError;
}

/** Maximum size of a form in addition to its file, in bytes. */
const spareBytes = 65_536;
/** Maximum characters of a field's name; the longest one used has nine. */
const maxFieldNameLength = 100;
/** Maximum characters of a media type (RFC 6838 section 4.2), as in the contracts of uploads. */
const maxMediaTypeLength = 255;
/** Time to keep reading unwanted data, in milliseconds, so that the client can read the reply. */
const droppingMs = 10_000;

export const createFormInvalidError = (message = 'The form is malformed.') =>
  createGatewayError('invalid', 'form_invalid', message);

/** Returns the error of a field that is too long. Undefined if it is valid. */
export function findFieldError(
  name: string,
  { valueTruncated }: Pick<busboy.FieldInfo, 'valueTruncated'>,
): AppError | undefined {
  // The library does not limit names of multipart/form-data.
  if (name.length > maxFieldNameLength) return createFormInvalidError('A field name is too long.');
  return valueTruncated ? createFormInvalidError(`The field “${cutText(name, 50)}” is too long.`) : undefined;
}

/** Returns the error of a file whose name or type is too long, before anything reads them. Undefined if it is valid. */
export function findFileError(name: string, { filename = '', mimeType }: busboy.FileInfo): AppError | undefined {
  const fault = findFieldError(name, { valueTruncated: false });
  if (fault) return fault;
  const field = `“${cutText(name, 50)}”`;
  if (filename.length > maxReceivedFileNameLength) {
    return createFormInvalidError(
      `The file in the field ${field} has a name longer than ${maxReceivedFileNameLength} characters.`,
    );
  }
  return mimeType.length > maxMediaTypeLength
    ? createFormInvalidError(`The media type of the file in the field ${field} is too long.`)
    : undefined;
}

/** Reads and discards the rest for a limited time, so that the client can read the reply. */
export function discardBody(request: Request): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  setTimeout(() => {
    if (!request.complete) request.destroy();
  }, droppingMs).unref();
}

export function createFormParser(request: Request, more: busboy.Limits = {}): busboy.Busboy {
  if (request.is('multipart/form-data') === false) {
    throw createGatewayError('invalid', 'content_type_unsupported', 'Send the body as multipart/form-data.');
  }
  try {
    return busboy({
      headers: request.headers,
      // Names are UTF-8, as sent by browsers (RFC 7578 section 4.2).
      defParamCharset: 'utf8',
      limits: { files: 1, fields: 20, fieldSize: maxReceivedFileNameLength * 4, headerPairs: 50, ...more },
    });
  } catch {
    throw createFormInvalidError();
  }
}

/** Passes the file of a multipart/form-data body to `work` as it arrives, without storing it. */
export async function withFormFile<T>(
  request: Request,
  { field, maxBytes, tooLarge }: FormFileOptions,
  work: (file: FormFile) => Promise<T>,
): Promise<T> {
  const form = createFormParser(request);
  const found = Promise.withResolvers<FormFile>();
  found.promise.catch(() => undefined);
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let stream: Readable | undefined;

  const breakOff = (error: AppError) => {
    found.reject(error);
    stream?.destroy(error);
  };
  const onClose = () => {
    if (!request.complete) breakOff(createGatewayError('invalid', 'upload_incomplete', 'The upload was interrupted.'));
  };
  async function* counted(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    try {
      for await (const chunk of bytes) {
        size += chunk.length;
        if (size > maxBytes) throw tooLarge();
        yield chunk;
      }
    } catch (error) {
      throw isAppError(error) ? error : createFormInvalidError();
    }
  }

  form.on('field', (name, value, info) => {
    const fault = findFieldError(name, info);
    if (fault) breakOff(fault);
    fields[name] = value;
  });
  form.on('file', (name, bytes, info) => {
    stream = bytes;
    // An error without a reader would be unhandled and end the process.
    bytes.on('error', () => undefined);
    const { filename = '', mimeType } = info;
    const fault = findFileError(name, info);
    if (fault) breakOff(fault);
    else if (name !== field) breakOff(createFormInvalidError(`The file must be in the field “${field}”.`));
    else found.resolve({ name: filename, contentType: mimeType, fields, bytes: counted(bytes) });
  });
  form.on('error', () => breakOff(createFormInvalidError()));
  form.on('close', () =>
    found.reject(createGatewayError('invalid', 'file_missing', `The field “${field}” has no file.`)),
  );
  request.once('close', onClose);

  try {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes + spareBytes) throw tooLarge();
    request.pipe(form);
    return await work(await found.promise);
  } finally {
    request.off('close', onClose);
    request.unpipe(form);
    form.destroy();
    discardBody(request);
  }
}
