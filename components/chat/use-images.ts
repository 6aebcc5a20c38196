/** Pictures that go with a message, where the agent takes them: pasted or chosen, and taken away again. */
'use client';

import { useRef, useState } from 'react';
import { bytesInWords } from '@/lib/domain/change-words';
import type { PromptImage } from './session-actions';

/** Pictures per message, and bytes of all of them together: with base64's third on top they fit into one request. */
const MOST_IMAGES = 8;
const MOST_BYTES = 5 * 1024 * 1024;

export interface Images {
  isOffered: boolean;
  list: PromptImage[];
  /** Takes pictures out of what was pasted or chosen; false where none was among it. */
  add: (files: File[]) => boolean;
  choose: () => void;
  remove: (image: PromptImage) => void;
  /** Hands the pictures over and forgets them. */
  take: () => PromptImage[];
  /** Takes pictures back that could not be sent. */
  give: (images: PromptImage[]) => void;
}

export function useImages(isOffered: boolean, onProblem: (problem: string | null) => void): Images {
  const [list, setList] = useState<PromptImage[]>([]);
  const input = useRef<HTMLInputElement | null>(null);

  const add = (files: File[]): boolean => {
    const pictures = files.filter(({ type }) => type.startsWith('image/'));
    if (!isOffered || pictures.length === 0) return false;
    const held = list.reduce((sum, { data }) => sum + data.length * 0.75, 0);
    const bytes = held + pictures.reduce((sum, { size }) => sum + size, 0);
    if (list.length + pictures.length > MOST_IMAGES) onProblem(`At most ${MOST_IMAGES} pictures go with one message.`);
    else if (bytes > MOST_BYTES)
      onProblem(`The pictures of one message may have ${bytesInWords(MOST_BYTES)} together.`);
    else {
      onProblem(null);
      void Promise.all(pictures.map(readImage)).then((read) => setList((before) => [...before, ...read]));
    }
    return true;
  };

  return {
    isOffered,
    list,
    add,
    choose: () => {
      input.current ??= document.createElement('input');
      Object.assign(input.current, { type: 'file', accept: 'image/*', multiple: true });
      input.current.onchange = () => add([...(input.current?.files ?? [])]);
      input.current.click();
    },
    remove: (image) => setList((before) => before.filter((other) => other !== image)),
    take: () => {
      setList([]);
      return list;
    },
    give: setList,
  };
}

async function readImage(file: File): Promise<PromptImage> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return { mime_type: file.type, data: url.slice(url.indexOf(',') + 1) };
}
