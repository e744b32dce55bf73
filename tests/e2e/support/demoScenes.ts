import { writeFile } from 'node:fs/promises';
import sharp from 'sharp';

/** Camera picture of a person in the README's screenshots: a drawn person in a drawn room. */
interface Scene {
  wall: string;
  light: string;
  skin: string;
  hair: string;
  shirt: string;
  /** True if long hair falls behind the shoulders. */
  long: boolean;
}

const demoScenes: Readonly<Record<string, Scene>> = {
  thandi: { wall: '#d9c7ae', light: '#f3e6cf', skin: '#8d5a3b', hair: '#2a1c17', shirt: '#2f7d66', long: true },
  amara: { wall: '#b9cbd3', light: '#e2edf0', skin: '#6f4530', hair: '#191312', shirt: '#c9673f', long: false },
  jonas: { wall: '#c6c9b4', light: '#e9ebd9', skin: '#e0b597', hair: '#7a5534', shirt: '#3f5878', long: false },
};

function drawing({ wall, light, skin, hair, shirt, long }: Scene): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720" viewBox="0 0 1280 720">
    <rect width="1280" height="720" fill="${wall}"/>
    <rect x="90" y="70" width="300" height="360" rx="10" fill="${light}"/>
    <path d="M240 70v360M90 250h300" stroke="${wall}" stroke-width="12"/>
    <rect x="930" y="300" width="270" height="14" rx="4" fill="#00000030"/>
    <path d="M950 300v-90h34v90zM990 300v-120h30v120zM1026 300v-80h40v80z" fill="#00000022"/>
    <path d="M1120 300c-30-60-20-110 10-140 34 34 40 84 14 140z" fill="#4d7a55"/>
    ${long ? `<path d="M470 330c0-150 70-230 170-230s170 80 170 230v190H470z" fill="${hair}"/>` : ''}
    <path d="M300 720c10-150 110-210 230-226h220c120 16 220 76 230 226z" fill="${shirt}"/>
    <path d="M580 420h120v90c0 40-120 40-120 0z" fill="${skin}"/>
    <ellipse cx="640" cy="320" rx="122" ry="150" fill="${skin}"/>
    <path d="M512 310c-16-130 48-200 130-200 90 0 144 70 126 200-14-60-40-96-64-110-60 34-130 34-160 20-18 20-26 50-32 90z" fill="${hair}"/>
    <circle cx="596" cy="318" r="9" fill="#241a16"/><circle cx="684" cy="318" r="9" fill="#241a16"/>
    <path d="M600 388q40 34 80 0" fill="none" stroke="#241a1699" stroke-width="8" stroke-linecap="round"/>
  </svg>`;
}

/** Writes what the browser accepts as a camera stream: one JPEG after another. */
export async function writeCameraStream(key: string, file: string): Promise<void> {
  const scene = demoScenes[key];
  if (scene === undefined) throw new Error(`There is no scene for ${key}.`);
  const frame = await sharp(Buffer.from(drawing(scene)))
    .jpeg({ quality: 90 })
    .toBuffer();
  await writeFile(file, Buffer.concat([frame, frame]));
}
