import type { CallProblem } from './media/CallMedia.ts';

/** Returns the text keys for a problem with the user's own media in a call; undefined if nothing should be shown. */
export function callProblemKeys({ source, kind }: CallProblem) {
  if (kind === 'dismissed') return undefined;
  if (source === 'screen') return { kind: 'error', title: 'calls:screenFailed', text: undefined } as const;
  if (kind === 'missing') {
    const title = source === 'camera' ? 'calls:noCamera' : 'calls:noMicrophone';
    return { kind: 'info', title, text: undefined } as const;
  }
  if (kind === 'unblurred') return { kind: 'error', title: 'calls:unblurred', text: 'calls:unblurredText' } as const;
  const text = kind === 'busy' ? 'calls:deviceBusy' : 'calls:errorText';
  return { kind: 'error', title: 'calls:errorTitle', text } as const;
}
