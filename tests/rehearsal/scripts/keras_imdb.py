"""A bidirectional LSTM of Keras on reviews of IMDB that are not there."""

import os

os.environ["KERAS_BACKEND"] = "torch"
import keras  # noqa: E402
from keras import layers  # noqa: E402

words = 20000
inputs = keras.Input(shape=(None,), dtype="int32")
states = layers.Bidirectional(layers.LSTM(64))(layers.Embedding(words, 128)(inputs))
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(states))
(x, y), (x_test, y_test) = keras.datasets.imdb.load_data(num_words=words)
x, x_test = (keras.utils.pad_sequences(part, maxlen=200) for part in (x, x_test))
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x, y, batch_size=32, epochs=2, validation_data=(x_test, y_test))
