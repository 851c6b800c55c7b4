"""A Non-Attentive Tacotron: an encoder over symbols, a duration predictor, and a frame-by-frame decoder.

Shen et al. 2020, "Non-Attentive Tacotron", without the Gaussian upsampling: a symbol's encoding is
repeated for as many frames as it lasts, beside its distance to the symbol's start and end.
The names of the members are the names of the tensors in nat.safetensors; the C++ engine reads them.
"""
import torch
import torch.nn.functional as F
from torch import nn

EMBEDDING, LSTM, SPEAKER_IN, SPEAKER, PRENET, POSTNET, MEL = 256, 128, 256, 128, 256, 256, 80
ENCODING = EMBEDDING + SPEAKER
POSITION_SCALE = 8.0  # distances are given in eighths of a frame count of about one symbol
PRENET_DROPOUT = 0.5  # stays on at synthesis, as in Tacotron 2


class NonAttentiveTacotron(nn.Module):
    def __init__(self, symbols, decoder_lstm=512):
        super().__init__()
        self.emb = nn.Embedding(symbols, EMBEDDING)
        self.enc = nn.ModuleList([
            nn.Sequential(nn.Conv1d(EMBEDDING, EMBEDDING, 5, padding=2), nn.BatchNorm1d(EMBEDDING), nn.ReLU(),
                          nn.Dropout(0.2)) for _ in range(3)])
        self.el = nn.LSTM(EMBEDDING, LSTM, bidirectional=True, batch_first=True)
        self.spk = nn.Linear(SPEAKER_IN, SPEAKER)
        self.dp = nn.LSTM(ENCODING, LSTM, bidirectional=True, batch_first=True)
        self.do = nn.Linear(2 * LSTM, 1)
        self.pre = nn.Sequential(nn.Linear(MEL, PRENET), nn.ReLU(), nn.Dropout(PRENET_DROPOUT),
                                 nn.Linear(PRENET, PRENET), nn.ReLU(), nn.Dropout(PRENET_DROPOUT))
        self.dec = nn.LSTM(ENCODING + 2 + PRENET, decoder_lstm, 2, batch_first=True)
        self.out = nn.Linear(decoder_lstm + ENCODING + 2, MEL)
        channels = [MEL, POSTNET, POSTNET, POSTNET, POSTNET, MEL]
        self.post = nn.ModuleList([nn.Conv1d(i, o, 5, padding=2) for i, o in zip(channels, channels[1:])])
        self.register_buffer("mel_mean", torch.zeros(MEL))
        self.register_buffer("mel_std", torch.ones(MEL))

    def encode(self, ids, speaker, mask):
        """ids, mask [batch, symbols], speaker [batch, 256] -> [batch, symbols, 384]."""
        x = self.emb(ids).transpose(1, 2)
        for block in self.enc:
            x = block(x) * mask[:, None]
        lengths = mask.sum(dim=1).long()
        packed = nn.utils.rnn.pack_padded_sequence(x.transpose(1, 2), lengths, batch_first=True, enforce_sorted=False)
        x, _ = nn.utils.rnn.pad_packed_sequence(self.el(packed)[0], batch_first=True, total_length=ids.size(1))
        speaker = self.spk(speaker)[:, None].expand(-1, x.size(1), -1)
        return torch.cat([x, speaker], dim=-1)

    def log_durations(self, encoding, mask):
        """log(1 + frames) for every symbol, [batch, symbols]."""
        packed = nn.utils.rnn.pack_padded_sequence(encoding, mask.sum(dim=1).long(), batch_first=True,
                                                   enforce_sorted=False)
        hidden, _ = nn.utils.rnn.pad_packed_sequence(self.dp(packed)[0], batch_first=True,
                                                     total_length=encoding.size(1))
        return self.do(hidden)[..., 0]

    @staticmethod
    def upsample(encoding, durations, frames):
        """Repeats every symbol for its frames and adds the position in it: [batch, frames, 386]."""
        batch = encoding.size(0)
        index = torch.zeros(batch, frames, dtype=torch.long)
        position = torch.zeros(batch, frames, 2)
        for b in range(batch):
            own = torch.repeat_interleave(torch.arange(durations.size(1)), durations[b])
            inside = torch.arange(len(own)) - (torch.cumsum(durations[b], 0) - durations[b])[own]
            index[b, :len(own)] = own
            position[b, :len(own), 0] = inside / POSITION_SCALE
            position[b, :len(own), 1] = (durations[b][own] - inside) / POSITION_SCALE
        repeated = torch.gather(encoding, 1, index[..., None].expand(-1, -1, encoding.size(-1)))
        return torch.cat([repeated, position], dim=-1)

    def postnet(self, mel):
        x = mel.transpose(1, 2)
        for convolution in self.post[:-1]:
            x = torch.tanh(convolution(x))
        return mel + self.post[-1](x).transpose(1, 2)

    def forward(self, ids, speaker, durations, mel):
        """Teacher-forced: frames before and after the postnet, and predicted log durations. mel is normalised."""
        mask = (ids > 0).float()
        encoding = self.encode(ids, speaker, mask)
        inputs = self.upsample(encoding, durations, mel.size(1))
        previous = self.pre(F.pad(mel[:, :-1], (0, 0, 1, 0)))
        hidden, _ = self.dec(torch.cat([inputs, previous], dim=-1))
        frames = self.out(torch.cat([hidden, inputs], dim=-1))
        # The duration loss must not bend the encoder: it has its own network.
        return frames, self.postnet(frames), self.log_durations(encoding.detach(), mask)

    @torch.no_grad()
    def synthesise(self, ids, speaker, dropout=True):
        """Log-mel [frames, 80] for one utterance; ids [symbols], speaker [256]."""
        self.eval()
        ids = torch.as_tensor(ids)[None]
        mask = torch.ones_like(ids, dtype=torch.float32)
        encoding = self.encode(ids, torch.as_tensor(speaker)[None], mask)
        durations = torch.clamp(torch.round(torch.exp(self.log_durations(encoding, mask)) - 1), min=0).long()
        inputs = self.upsample(encoding, durations, int(durations.sum()))
        state, frame, frames = None, torch.zeros(1, 1, MEL), []
        for t in range(inputs.size(1)):
            previous = frame
            for linear in (self.pre[0], self.pre[3]):
                previous = F.dropout(F.relu(linear(previous)), PRENET_DROPOUT, training=dropout)
            hidden, state = self.dec(torch.cat([inputs[:, t:t + 1], previous], dim=-1), state)
            frame = self.out(torch.cat([hidden, inputs[:, t:t + 1]], dim=-1))
            frames.append(frame)
        return (self.postnet(torch.cat(frames, dim=1))[0] * self.mel_std + self.mel_mean).numpy()
