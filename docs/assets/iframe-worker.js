// Browsers start no worker for a page that is opened from a folder. There, the search runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      addEventListener("message", (event) => {
        if (event.source !== this.frame.contentWindow) return;
        const copy = new MessageEvent("message", { data: event.data });
        this.dispatchEvent(copy);
        this.onmessage?.(copy);
      });
      this.ready = new Promise((resolve) => this.frame.addEventListener("load", resolve, { once: true }));
      const inside = this.frame.contentDocument;
      inside.open();
      inside.write(`<script>
        self.postMessage = (data) => parent.postMessage(data, "*");
        self.importScripts = (...urls) => urls.reduce((before, url) => before.then(() => new Promise((resolve, reject) => {
          const script = document.createElement("script");
          script.src = url;
          script.onload = resolve;
          script.onerror = reject;
          document.body.append(script);
        })), Promise.resolve());
      <\/script><body><script src="${new URL(url, location.href)}"><\/script>`);
      inside.close();
    }

    postMessage(data) {
      const inside = this.frame.contentWindow;
      this.ready.then(() => inside.dispatchEvent(new inside.MessageEvent("message", { data, source: window })));
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
