/** Which devices a person has chosen on this device, and how they like to come in. */
export type DeviceKind = 'microphone' | 'camera' | 'speaker';

type ChoiceStorage = Pick<Storage, 'getItem' | 'setItem'>;

const key = (name: string) => `nolo.media.${name}`;

/** A full or forbidden storage only forgets. */
function keep(storage: ChoiceStorage, name: string, value: string): void {
  try {
    storage.setItem(key(name), value);
  } catch {
    // The choice holds until the page goes.
  }
}

export function chosenDevice(storage: ChoiceStorage, kind: DeviceKind): string | null {
  return storage.getItem(key(kind));
}

export function rememberDevice(storage: ChoiceStorage, kind: DeviceKind, id: string): void {
  keep(storage, kind, id);
}

export function remembersNoiseSuppression(storage: ChoiceStorage): boolean {
  return storage.getItem(key('noise')) !== 'off';
}

export function rememberNoiseSuppression(storage: ChoiceStorage, on: boolean): void {
  keep(storage, 'noise', on ? 'on' : 'off');
}

/** Off, where nobody has asked for it: it takes a machine that can. */
export function remembersBackgroundBlur(storage: ChoiceStorage): boolean {
  return storage.getItem(key('blur')) === 'on';
}

export function rememberBackgroundBlur(storage: ChoiceStorage, on: boolean): void {
  keep(storage, 'blur', on ? 'on' : 'off');
}

/** Whether somebody came in with this device on the last time; on, where they never have. */
export function comesInWith(storage: ChoiceStorage, source: 'microphone' | 'camera'): boolean {
  return storage.getItem(key(`${source}On`)) !== 'off';
}

export function rememberComingIn(storage: ChoiceStorage, source: 'microphone' | 'camera', on: boolean): void {
  keep(storage, `${source}On`, on ? 'on' : 'off');
}
