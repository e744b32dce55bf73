import { answerPicture, erasePictures, enablePictureCache } from './pictureCache.ts';
import { forgetPictures, measurePictures } from './pictureSizes.ts';

/** Fakes the Cache API methods in use, in memory. */
function fakeCaches() {
  const all = new Map<string, Map<string, Response>>();
  const open = (name: string) => {
    const entries = all.get(name) ?? new Map<string, Response>();
    all.set(name, entries);
    return Promise.resolve({
      match: (url: string) => Promise.resolve(entries.get(url)?.clone()),
      put: (url: string, reply: Response) => Promise.resolve(void entries.set(url, reply)),
      matchAll: () => Promise.resolve([...entries.values()].map((reply) => reply.clone())),
      keys: () => Promise.resolve([...entries.keys()]),
      delete: (url: string) => Promise.resolve(entries.delete(url)),
    });
  };
  return {
    all,
    open,
    keys: () => Promise.resolve([...all.keys()]),
    delete: (name: string) => Promise.resolve(all.delete(name)),
  };
}

let store: ReturnType<typeof fakeCaches>;
let requestedUrls: string[];
let status = 200;
const settle = () => new Promise((resolve) => setImmediate(resolve));
const requestPicture = async (n: number | string) => {
  const reply = await answerPicture({ url: `/objects/${n}` } as Request);
  await settle();
  return reply.text();
};

beforeEach(() => {
  store = fakeCaches();
  requestedUrls = [];
  status = 200;
  globalThis.caches = store as unknown as CacheStorage;
  globalThis.fetch = ((request: Request) => {
    requestedUrls.push(request.url);
    const reply = new Response(`picture of ${request.url}`, { status });
    return Promise.resolve(Object.defineProperty(reply, 'type', { value: 'basic' }));
  }) as typeof fetch;
});

test('a picture is requested once and then cached', async () => {
  await enablePictureCache('ada');
  expect(await requestPicture(1)).toBe('picture of /objects/1');
  expect(await requestPicture(1)).toBe('picture of /objects/1');
  expect(requestedUrls).toEqual(['/objects/1']);
});

test('pictures are not cached while signed out, and refusals never are', async () => {
  await requestPicture(1);
  await requestPicture(1);
  expect(requestedUrls).toHaveLength(2);
  expect(store.all.size).toBe(0);
  await enablePictureCache('ada');
  status = 404;
  await requestPicture(2);
  status = 200;
  await requestPicture(2);
  expect(requestedUrls.filter((url) => url.endsWith('2'))).toHaveLength(2);
});

test('the oldest pictures are removed when there are too many', async () => {
  await enablePictureCache('ada');
  for (let n = 0; n < 305; n++) await requestPicture(n);
  const kept = [...(store.all.get('nolo-pictures-ada')?.keys() ?? [])];
  expect(kept).toHaveLength(300);
  expect(kept[0]).toBe('/objects/5');
});

test('other people’s pictures are erased, and all of them once nobody is signed in', async () => {
  await enablePictureCache('ada');
  await enablePictureCache('ben');
  await store.open('workbox-precache');
  await erasePictures('ben');
  expect([...store.all.keys()]).toEqual(['nolo-pictures-ben', 'workbox-precache']);
  await erasePictures();
  expect([...store.all.keys()]).toEqual(['workbox-precache']);
});

test('the size of the pictures is reported, and freeing it does not end caching', async () => {
  expect(await measurePictures()).toBe(0);
  await enablePictureCache('ada');
  await requestPicture(1);
  await requestPicture(22);
  expect(await measurePictures()).toBe('picture of /objects/1picture of /objects/22'.length);
  await forgetPictures();
  expect(await measurePictures()).toBe(0);
  await requestPicture(1);
  await requestPicture(1);
  expect(requestedUrls).toEqual(['/objects/1', '/objects/22', '/objects/1']);
});
