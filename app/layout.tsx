import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './globals.css';
import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import { Providers } from '@/components/shell/providers';
import { PREFERENCES_COOKIE, parsePreferences } from '@/lib/client/preferences';

export const metadata: Metadata = {
  title: { default: 'Tidemark', template: '%s · Tidemark' },
  description: 'Shows, for every run of a coding agent, exactly which files it changed.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

/** The document. The reader's preferences are in it from the first byte, so that nothing flashes. */
export default async function RootLayout({ children }: LayoutProps<'/'>) {
  const preferences = parsePreferences((await cookies()).get(PREFERENCES_COOKIE)?.value);
  return (
    <html
      lang="en"
      {...(preferences.theme !== 'system' && { 'data-theme': preferences.theme })}
      {...(preferences.palette !== 'standard' && { 'data-palette': preferences.palette })}
      suppressHydrationWarning
    >
      <body>
        <Providers preferences={preferences}>{children}</Providers>
      </body>
    </html>
  );
}
