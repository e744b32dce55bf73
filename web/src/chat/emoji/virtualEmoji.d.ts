declare module 'virtual:emoji' {
  /** Built from `emojibase-data` at build time (vitePlugins/emoji.ts). */
  const emoji: readonly unknown[];
  export default emoji;
}

declare module 'virtual:emoji-german' {
  /** Built from `emojibase-data` at build time (vitePlugins/emoji.ts). */
  const emoji: readonly unknown[];
  export default emoji;
}
