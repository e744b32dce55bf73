import { multipostFields, type MultipostFields } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import { limits, socialLimits } from '@nolo/rules';
import type { Request } from 'express';
import { checkJsonBounds } from '../domain/jsonBounds.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError, createInvalidInputError, type InputIssue } from '../errors.ts';
import { readFormFiles } from '../http/formFiles.ts';
import { toStoreFileRequests } from '../http/readIncomingBytes.ts';
import { parseSection } from '../http/validate.ts';

/** Time limit for transfers, which take as long as data keeps flowing. */
const transferMs = 6 * 3_600_000;
/** Longest text in UTF-8, with headroom. */
const maxFieldBytes = 4 * socialLimits.socialTextLength;
const jsonFields = ['platforms', 'accountIds', 'texts', 'altTexts'] as const;
const isFileField = (field: string) => field === 'video' || /^image_\d{1,2}$/.test(field);

const tooLarge = () =>
  createGatewayError('too_large', 'file_too_large', 'The files are too large.', { maxBytes: limits.singleUploadBytes });

function parseJson(text: string): unknown {
  checkJsonBounds(Buffer.from(text), { depth: limits.jsonDepth, entries: limits.jsonEntries });
  try {
    return JSON.parse(text);
  } catch {
    throw createGatewayError('invalid', 'form_invalid', 'A field that must be JSON is not.');
  }
}

function fieldsOf(given: Readonly<Record<string, string>>): MultipostFields {
  const { text, clientPostId } = given;
  const read = jsonFields.flatMap((name) => {
    const value = given[name];
    return value === undefined || value === '' ? [] : [[name, parseJson(value)]];
  });
  const issues: InputIssue[] = [];
  const fields = parseSection(multipostFields, 'body', { text, clientPostId, ...Object.fromEntries(read) }, issues);
  if (issues.length > 0) throw createInvalidInputError(issues);
  return fields as MultipostFields;
}

/** Orders pictures by number, followed by the video. */
const placeOf = (field: string): number => (field === 'video' ? Infinity : Number(field.slice('image_'.length)));

/**
 * Reads the form of a post. Its files are stored and counted like any upload: a refused post returns its post quota,
 * but its files stay stored.
 *
 * @throws AppError rate_limited for more files than a user may upload in an hour
 */
export async function readSocialForm(
  request: Request,
  { sharedFiles, limits: gatewayLimits }: Pick<GatewayContext, 'sharedFiles' | 'limits'>,
  actorId: string,
  call: RpcCallOptions,
): Promise<{ fields: MultipostFields; media: { fileId: string; altText: string }[] }> {
  const options = {
    accepts: isFileField,
    maxFiles: socialLimits.socialMediaPerPost,
    maxBytes: limits.singleUploadBytes,
    maxFieldBytes,
    tooLarge,
  };
  const { fields, stored } = await readFormFiles(request, options, async ({ field, name, contentType, bytes }) => {
    const kind = field === 'video' ? 'video' : 'image';
    const header = { actorId, name, contentType, kind, size: 0, multipart: false };
    const { id } = await gatewayLimits.within(actorId, 'fileUploadsPerUserHour', () =>
      sharedFiles.storeFile(toStoreFileRequests(header, bytes), { ...call, timeoutMs: transferMs }),
    );
    return id;
  });
  const known = fieldsOf(fields);
  const files = [...stored].toSorted(([one], [other]) => placeOf(one) - placeOf(other));
  return {
    fields: known,
    media: files.map(([, fileId], index) => ({ fileId, altText: known.altTexts?.[index] ?? '' })),
  };
}
