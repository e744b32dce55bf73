import { multipostFields, type MultipostFields } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import { limits, socialLimits } from '@nolo/rules';
import type { Request } from 'express';
import { countEntries } from '../domain/jsonBounds.ts';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import { readFormFiles } from '../http/formFiles.ts';
import { fileParts } from '../http/incomingBytes.ts';
import { invalidInput, parsePart, type InputIssue } from '../http/validate.ts';

/** Bytes travel for as long as it goes on. */
const transferMs = 6 * 3_600_000;
/** The longest text in UTF-8, and some room. */
const maxFieldBytes = 4 * socialLimits.socialTextLength;
const jsonFields = ['platforms', 'accountIds', 'texts', 'altTexts'] as const;
const isFileField = (field: string) => field === 'video' || /^image_\d{1,2}$/.test(field);

const tooLarge = () =>
  failGateway('too_large', 'file_too_large', 'The files are too large.', { maxBytes: limits.singleUploadBytes });

function parseJson(text: string): unknown {
  countEntries(Buffer.from(text), { depth: limits.jsonDepth, entries: limits.jsonEntries });
  try {
    return JSON.parse(text);
  } catch {
    throw failGateway('invalid', 'form_invalid', 'A field that should be JSON is not.');
  }
}

function fieldsOf(given: Readonly<Record<string, string>>): MultipostFields {
  const { text, clientPostId } = given;
  const read = jsonFields.flatMap((name) => {
    const value = given[name];
    return value === undefined || value === '' ? [] : [[name, parseJson(value)]];
  });
  const issues: InputIssue[] = [];
  const fields = parsePart(multipostFields, 'body', { text, clientPostId, ...Object.fromEntries(read) }, issues);
  if (issues.length > 0) throw invalidInput(issues);
  return fields as MultipostFields;
}

/** Pictures in the order of their numbers, then the video. */
const placeOf = (field: string): number => (field === 'video' ? Infinity : Number(field.slice('image_'.length)));

/**
 * What came in the form of a post. Its files are kept as if they had been uploaded before, and each is counted like any
 * other upload: a post that is refused gives back what it took of the quota of posts, but its files are stored.
 *
 * @throws AppError rate_limited for more files than one may upload in an hour
 */
export async function readSocialForm(
  request: Request,
  { sharedFiles, limits: edgeLimits }: Pick<Edge, 'sharedFiles' | 'limits'>,
  actorId: string,
  call: RpcCallOptions,
): Promise<{ fields: MultipostFields; media: { fileId: string; altText: string }[] }> {
  const options = {
    accepts: isFileField,
    mostFiles: socialLimits.socialMediaPerPost,
    maxBytes: limits.singleUploadBytes,
    maxFieldBytes,
    tooLarge,
  };
  const { fields, stored } = await readFormFiles(request, options, async ({ field, name, contentType, bytes }) => {
    const kind = field === 'video' ? 'video' : 'image';
    const header = { actorId, name, contentType, kind, size: 0, multipart: false };
    const { id } = await edgeLimits.within(actorId, 'fileUploadsPerUserHour', () =>
      sharedFiles.storeFile(fileParts(header, bytes), { ...call, timeoutMs: transferMs }),
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
