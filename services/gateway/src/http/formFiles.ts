import type { Readable } from 'node:stream';
import { isAppError, type AppError } from '@nolo/kit/errors';
import type { Request } from 'express';
import { createGatewayError } from '../errors.ts';
import { discardBody, findFieldError, findFileError, createFormInvalidError, createFormParser } from './formFile.ts';

/** File of a multi-file form, while it arrives. */
export interface FormFieldFile {
  readonly field: string;
  /** Name set by the client. Empty if none. */
  readonly name: string;
  /** Type declared by the client. */
  readonly contentType: string;
  /** Bytes, readable once at the reader's pace. Throws if the form is too large, truncated or malformed. */
  readonly bytes: AsyncIterable<Buffer>;
}

export interface FormFilesOptions {
  /** Returns true for fields with files. */
  accepts: (field: string) => boolean;
  maxFiles: number;
  /** Maximum bytes of the whole form. */
  maxBytes: number;
  maxFieldBytes: number;
  tooLarge: () => AppError;
}

/**
 * Passes each file of a multipart/form-data body to `store` as it arrives, sequentially, and returns the results with
 * the other fields.
 */
export async function readFormFiles<T>(
  request: Request,
  { accepts, maxFiles, maxBytes, maxFieldBytes, tooLarge }: FormFilesOptions,
  store: (formFile: FormFieldFile) => Promise<T>,
): Promise<{ fields: Readonly<Record<string, string>>; stored: Map<string, T> }> {
  const form = createFormParser(request, { files: maxFiles, fieldSize: maxFieldBytes });
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const stored = new Map<string, T>();
  const storing: Promise<unknown>[] = [];
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => undefined);
  let open: Readable | undefined;
  let failure: Error | undefined;
  let size = 0;

  const breakOff = (error: Error) => {
    failure ??= error;
    over.reject(error);
    open?.destroy(error);
  };
  async function* counted(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
  const onClose = () => {
    if (!request.complete) breakOff(createGatewayError('invalid', 'upload_incomplete', 'The upload was interrupted.'));
  };

  form.on('field', (name, value, info) => {
    const fault = findFieldError(name, info);
    if (fault) breakOff(fault);
    fields[name] = value;
  });
  form.on('file', (field, bytes, info) => {
    open = bytes;
    // An error without a reader would be unhandled and end the process.
    bytes.on('error', () => undefined);
    const { filename = '', mimeType } = info;
    const fault = findFileError(field, info);
    if (fault) {
      breakOff(fault);
      return;
    }
    if (!accepts(field) || stored.has(field)) {
      breakOff(createFormInvalidError('A file is in an unexpected field.'));
      return;
    }
    const formFile = { field, name: filename, contentType: mimeType, bytes: counted(bytes) };
    storing.push(store(formFile).then((one) => void stored.set(field, one), breakOff));
  });
  form.on('filesLimit', () => breakOff(createFormInvalidError('Too many files.')));
  form.on('fieldsLimit', () => breakOff(createFormInvalidError('Too many fields.')));
  form.on('error', () => breakOff(createFormInvalidError()));
  form.on('close', () => over.resolve());
  request.once('close', onClose);

  try {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes + maxFieldBytes) throw tooLarge();
    request.pipe(form);
    await over.promise;
    await Promise.all(storing);
    // A file may turn out to be invalid only at the end of the form.
    if (failure) throw failure;
    return { fields, stored };
  } finally {
    request.off('close', onClose);
    request.unpipe(form);
    form.destroy();
    discardBody(request);
  }
}
