/** Next calls this once per server start, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { boot } = await import('@/lib/server/boot');
    await boot();
  }
}
