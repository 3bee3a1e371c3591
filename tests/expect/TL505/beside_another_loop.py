"""Loops over the same models, of which one ends its rounds on XLA."""
# Modelled on huggingface/diffusers (rerender_a_video, ledits_pp, and pipelines whose loops all end their rounds).

import torch
from diffusers.utils import is_torch_xla_available

if is_torch_xla_available():
    import torch_xla.core.xla_model as xm

    XLA_AVAILABLE = True
else:
    XLA_AVAILABLE = False


class OneOfTwo:
    def __init__(self, unet, scheduler):
        self.unet = unet.eval()
        self.scheduler = scheduler

    def __call__(self, latents, timesteps, frames):
        with self.progress_bar(total=len(timesteps)) as progress:
            for i, t in enumerate(timesteps):
                scaled = self.scheduler.scale_model_input(latents, t)
                noise = self.unet(scaled, t)  # expect: TL505
                latents = self.scheduler.step(noise, t, latents)
                progress.update()

        def denoise(latents, timesteps):
            for i, t in enumerate(timesteps):
                noise = self.unet(self.scheduler.scale_model_input(latents, t), t)
                latents = self.scheduler.step(noise, t, latents)
                if XLA_AVAILABLE:
                    xm.mark_step()
            return latents

        return [denoise(latents, timesteps) for frame in frames]

    def noises(self, latents, timesteps):
        for t in timesteps:
            latents = self.scheduler.add_noise(latents, t)
        return latents


class Both:
    def prior(self, latents, timesteps):
        for t in timesteps:
            latents = self.scheduler.step(self.unet(latents, t), t, latents)
            self.end()
        return latents

    def end(self):
        if XLA_AVAILABLE:
            xm.mark_step()

    def __call__(self, latents, timesteps):
        for t in timesteps:
            latents = self.scheduler.step(self.unet(latents, t), t, latents)
            if XLA_AVAILABLE:
                xm.mark_step()
        return latents


class PromptByPrompt:
    def sample(self, latents, timesteps, prompts):
        for prompt in prompts:
            for t in timesteps:
                latents = self.scheduler.step(self.unet(latents, t, prompt), t, latents)  # expect: TL505
        return latents

    def __call__(self, latents, timesteps):
        for t in timesteps:
            latents = self.scheduler.step(self.unet(latents, t), t, latents)
            if XLA_AVAILABLE:
                xm.mark_step()
        return latents


class OtherModels:
    def encode(self, prompts):
        return [self.text_encoder(self.tokenizer(prompt)) for prompt in prompts]

    def decode(self, latents):
        images = []
        for latent in latents:
            images.append(self.vae.decode(latent))
        return images

    def __call__(self, latents, timesteps):
        for t in timesteps:
            latents = self.scheduler.step(self.unet(latents, t), t, latents)
            if XLA_AVAILABLE:
                xm.mark_step()
        return latents
