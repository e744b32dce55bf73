/** Devices chosen on this device, and whether the user joins with them on. */
export type DeviceKind = 'microphone' | 'camera' | 'speaker';

type ChoiceStorage = Pick<Storage, 'getItem' | 'setItem'>;

const key = (name: string) => `nolo.media.${name}`;

/** Storage may be full or forbidden. The choice is then forgotten. */
function keep(storage: ChoiceStorage, name: string, value: string): void {
  try {
    storage.setItem(key(name), value);
  } catch {
    // The choice lasts until the page closes.
  }
}

export function readChosenDevice(storage: ChoiceStorage, kind: DeviceKind): string | null {
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

/** Off by default, because it needs a fast machine. */
export function remembersBackgroundBlur(storage: ChoiceStorage): boolean {
  return storage.getItem(key('blur')) === 'on';
}

export function rememberBackgroundBlur(storage: ChoiceStorage, on: boolean): void {
  keep(storage, 'blur', on ? 'on' : 'off');
}

/** Returns true if the user last joined with this device on. Default: on. */
export function isDeviceOnByDefault(storage: ChoiceStorage, source: 'microphone' | 'camera'): boolean {
  return storage.getItem(key(`${source}On`)) !== 'off';
}

export function rememberDeviceOnByDefault(storage: ChoiceStorage, source: 'microphone' | 'camera', on: boolean): void {
  keep(storage, `${source}On`, on ? 'on' : 'off');
}
