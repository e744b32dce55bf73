import type { RouteBodyInput, SocialPlatformState, SocialPost, routes } from '@nolo/api';
import { socialTextCounters, type SocialPlatform } from '@nolo/rules';
import { toNextHourInputs } from '../../shell/dateTimeInputs.ts';

/** Entry point of the dialog, which determines its texts (decision 14). */
export type ComposeOrigin = 'schedule' | 'post' | 'meeting' | 'group';

export interface ComposedMedia {
  /** URL of the form `/objects/{id}`. */
  url: string;
  name: string;
  /** Empty type and 0 bytes for files that were checked before: of an edited post or a status update. */
  type: string;
  bytes: number;
  altText: string;
}

export interface ComposeForm {
  content: string;
  texts: Partial<Record<SocialPlatform, string>>;
  platforms: SocialPlatform[];
  media: ComposedMedia[];
  later: boolean;
  date: string;
  time: string;
  timeZone: string;
}

export type ComposeProblem =
  | { kind: 'content' | 'platform' | 'whenMissing' | 'whenPast' }
  | { kind: 'tooLong'; count: number; platform: string }
  | { kind: 'needsMedia'; platform: string }
  | { kind: 'images' | 'videos'; platform: string; count: number }
  | { kind: 'type' | 'size'; platform: string; name: string };

/** Returns a file that the server already has and that was checked before. */
export function toComposedMedia(url: string, index: number): ComposedMedia {
  return { url, altText: '', name: String(index + 1), type: '', bytes: 0 };
}

/** Returns an empty form. The next full hour is suggested. */
export function createComposeForm(now: Date, timeZone: string, entry: ComposeOrigin, content = ''): ComposeForm {
  const later = entry === 'schedule';
  return { content, texts: {}, platforms: [], media: [], later, ...toNextHourInputs(now), timeZone };
}

/** Returns the form of a post. Its time stays the chosen local time, in the time zone in which it was chosen. */
export function toComposeForm(post: SocialPost, now: Date, timeZone: string): ComposeForm {
  const [date = '', time = ''] = post.localTime?.split('T') ?? [];
  return {
    ...createComposeForm(now, timeZone, 'schedule'),
    content: post.content,
    texts: post.texts,
    platforms: post.platforms,
    media: post.media.map(({ url, altText }, index) => ({ ...toComposedMedia(url, index), altText })),
    ...(post.timeZone !== null && date !== '' && { date, time: time.slice(0, 5), timeZone: post.timeZone }),
  };
}

const isVideo = ({ type }: ComposedMedia): boolean => type.startsWith('video/');

/** Returns the problem that a platform would report. */
function problemAt({ name, id, limits }: SocialPlatformState, form: ComposeForm): ComposeProblem | null {
  if (socialTextCounters[id](form.texts[id] ?? form.content) > limits.text) {
    return { kind: 'tooLong', count: limits.text, platform: name };
  }
  if (limits.needsMedia && form.media.length === 0) return { kind: 'needsMedia', platform: name };
  const known = form.media.filter(({ type }) => type !== '');
  const videos = known.filter(isVideo);
  if (videos.length > limits.videos) return { kind: 'videos', platform: name, count: limits.videos };
  if (known.length - videos.length > limits.images) return { kind: 'images', platform: name, count: limits.images };
  for (const file of known) {
    const [types, maxBytes] = isVideo(file)
      ? [limits.videoTypes, limits.videoBytes]
      : [limits.imageTypes, limits.imageBytes];
    if (!types.includes(file.type)) return { kind: 'type', platform: name, name: file.name };
    if (file.bytes > maxBytes) return { kind: 'size', platform: name, name: file.name };
  }
  return null;
}

/** Returns the first problem of the form (spec section 5). */
export function findComposeProblem(
  form: ComposeForm,
  platforms: readonly SocialPlatformState[],
  now: Date,
): ComposeProblem | null {
  if (form.content.trim() === '' && form.media.length === 0) return { kind: 'content' };
  if (form.platforms.length === 0) return { kind: 'platform' };
  for (const platform of platforms) {
    const problem = form.platforms.includes(platform.id) ? problemAt(platform, form) : null;
    if (problem) return problem;
  }
  if (!form.later) return null;
  if (form.date === '' || form.time === '') return { kind: 'whenMissing' };
  const own = form.timeZone === Intl.DateTimeFormat().resolvedOptions().timeZone;
  // The server checks times in other time zones, because it knows their clocks.
  return own && new Date(`${form.date}T${form.time}`) <= now ? { kind: 'whenPast' } : null;
}

type Body = RouteBodyInput<(typeof routes)['createSocialPost']>;

export function toPostBody({ content, texts, platforms, media, later, date, time, timeZone }: ComposeForm) {
  return {
    content: content.trim(),
    texts: Object.fromEntries(
      Object.entries(texts).filter(([platform]) => platforms.includes(platform as SocialPlatform)),
    ),
    platforms,
    media: media.map(({ url, altText }) => ({ url, altText })),
    ...(later && date !== '' && time !== '' && { scheduledAt: `${date}T${time}`, timeZone }),
  } satisfies Body;
}
