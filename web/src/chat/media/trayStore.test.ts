import {
  addToTray,
  changeTrayItem,
  chooseInTray,
  emptyTray,
  emptyTrays,
  removeFromTray,
  trayStore,
} from './trayStore.ts';

const file = (name: string) => new File(['x'], name);
const tray = () => trayStore.getState().trays['c1'];
const names = () => tray()?.items.map((item) => item.file.name);
const idOf = (name: string) => tray()?.items.find((item) => item.file.name === name)?.id ?? '';
afterEach(emptyTrays);

test('files come one after the other, and the first one is written about', () => {
  addToTray('c1', [file('a'), file('b')]);
  addToTray('c1', [file('c')]);
  expect(names()).toEqual(['a', 'b', 'c']);
  expect(tray()?.chosen).toBe(idOf('a'));
});

test('where the one that is written about goes, the next one takes its place', () => {
  addToTray('c1', [file('a'), file('b'), file('c')]);
  chooseInTray('c1', idOf('b'));
  removeFromTray('c1', idOf('b'));
  expect(tray()?.chosen).toBe(idOf('c'));
  removeFromTray('c1', idOf('c'));
  expect(tray()?.chosen).toBe(idOf('a'));
});

test('each has its own words, in its own conversation', () => {
  addToTray('c1', [file('a')]);
  addToTray('c2', [file('z')], true);
  changeTrayItem('c1', idOf('a'), { caption: 'The light!' });
  expect(tray()?.items[0]?.caption).toBe('The light!');
  expect(trayStore.getState().trays['c2']?.items[0]).toMatchObject({ caption: '', asFile: true });
});

test('the words in the text field go over to the next file, unless that has its own', () => {
  addToTray('c1', [file('a'), file('b'), file('c')]);
  expect(tray()?.lead).toBe(idOf('a'));
  removeFromTray('c1', idOf('a'));
  expect(tray()?.lead).toBe(idOf('b'));
  changeTrayItem('c1', idOf('c'), { caption: 'Mine' });
  removeFromTray('c1', idOf('b'));
  expect(tray()?.lead).toBe('');
});

test('with the last file the tray goes', () => {
  addToTray('c1', [file('a')]);
  removeFromTray('c1', idOf('a'));
  expect(tray()).toBeUndefined();
  addToTray('c1', [file('a'), file('b')]);
  emptyTray('c1');
  expect(tray()).toBeUndefined();
});
